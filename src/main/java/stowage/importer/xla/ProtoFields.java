package stowage.importer.xla;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.file.Path;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/**
 * A protobuf message read field by field from a stream, without classes made for it: what is not
 * asked for is skipped and never in memory, which a profile of gigabytes needs.
 */
final class ProtoFields {
  private final Path file;
  private final CodedInputStream in;
  private boolean stopped;

  ProtoFields(Path file, CodedInputStream in) {
    this.file = file;
    this.in = in;
  }

  /** Receiver of one field of a message: reads its value, or leaves it to be skipped. */
  interface Taker {
    /**
     * Takes a field by its number and the wire type of its value; true if it has read the value.
     */
    boolean take(int number, int type) throws IOException;
  }

  /** Reads the fields up to the end of the file or of the message at hand. */
  void each(Taker taker) {
    try {
      for (int tag = in.readTag(); tag != 0; tag = stopped ? 0 : in.readTag()) {
        int type = WireFormat.getTagWireType(tag);
        if (type == WireFormat.WIRETYPE_START_GROUP || type == WireFormat.WIRETYPE_END_GROUP) {
          throw new InvalidProtocolBufferException("has a group, which no field here is");
        }
        if (!taker.take(WireFormat.getTagFieldNumber(tag), type) && !stopped) {
          in.skipField(tag);
        }
      }
    } catch (InvalidProtocolBufferException damaged) {
      throw damaged();
    } catch (IOException failure) {
      throw InputFiles.unreadable(file, failure);
    }
  }

  /** Ends the reading: nothing further is taken or skipped. */
  void stop() {
    stopped = true;
  }

  /** Reads a field that is a message. */
  boolean message(int type, Taker taker) throws IOException {
    if (type != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
      throw damaged();
    }
    int limit = in.pushLimit(in.readRawVarint32());
    each(taker);
    if (in.getBytesUntilLimit() != 0 && !stopped) {
      throw damaged();
    }
    in.popLimit(limit);
    return true;
  }

  /** Reads a field that is an integer of up to 64 bits, a flag, or an enum. */
  long integer(int type) throws IOException {
    if (type != WireFormat.WIRETYPE_VARINT) {
      throw damaged();
    }
    return in.readRawVarint64();
  }

  /** Reads such a field as the element of an index. */
  boolean integer(int type, long[] values, int index) throws IOException {
    values[index] = integer(type);
    return true;
  }

  String text(int type) throws IOException {
    if (type != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
      throw damaged();
    }
    return in.readString();
  }

  /** The failure for a byte at which the file is no protobuf. */
  InputException damaged() {
    return new InputException(
        file,
        "byte " + in.getTotalBytesRead(),
        "is cut short, damaged or no protobuf of XLA: a message breaks off or contradicts itself");
  }
}
