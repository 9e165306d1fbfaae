package stowage.generator.networks;

import java.util.List;
import stowage.network.ElementType;

/** Transformers. Each method names its paper. */
final class LanguageNetworks {
  private static final long WIDTH = 768;
  private static final long HEADS = 12;
  private static final long HEAD = WIDTH / HEADS;

  private LanguageNetworks() {}

  /**
   * BERT base on one text of 128 tokens: Devlin, Chang, Lee, Toutanova, BERT: Pre-training of Deep
   * Bidirectional Transformers for Language Understanding, NAACL 2019, doi:10.18653/v1/N19-1423.
   * The attention's factor 1/8 is folded into the queries' weights; the mask is given as summands.
   */
  static void bert(NetworkBuilder net) {
    long tokens = 128;
    String ids = net.input("input_ids", ElementType.I64, 1, tokens);
    String types = net.input("token_type_ids", ElementType.I64, 1, tokens);
    String mask = net.input("attention_mask", 1, 1, 1, tokens);
    String word = net.gather("word", net.weight("word.weight", 30522, WIDTH), ids);
    String type = net.gather("type", net.weight("type.weight", 2, WIDTH), types);
    String table = net.weight("position.weight", 512, WIDTH);
    String position =
        net.slice("position", table, new int[] {0}, new long[] {0}, new long[] {tokens});
    String x = net.add("embedding", net.add("word_and_type", word, type), position);
    x = net.layerNorm("embedding.norm", x, 1e-12);
    for (int layer = 0; layer < 12; layer++) {
      x = encoderLayer(net, "layer" + layer, x, mask, tokens);
    }
    net.output(x);
    long[] start = {0};
    String first = net.slice("first", x, new int[] {1}, start, new long[] {1});
    String pooled = net.gemm("pooler", net.reshape("first.row", first, 1, WIDTH), WIDTH);
    net.output(net.unary("pooled", "Tanh", pooled));
  }

  private static String encoderLayer(
      NetworkBuilder net, String at, String x, String mask, long tokens) {
    String query = heads(net, at + ".query", net.linear(at + ".query", x, WIDTH), tokens);
    String key = heads(net, at + ".key", net.linear(at + ".key", x, WIDTH), tokens);
    String scores = net.matMul(at + ".scores", query, key, true);
    String masked = net.add(at + ".masked", scores, mask);
    String shares = net.softmax(at + ".shares", masked, 3);
    String value = heads(net, at + ".value", net.linear(at + ".value", x, WIDTH), tokens);
    String context = net.matMul(at + ".context", shares, value, false);
    String joined = joined(net, at, context, tokens);
    String attended = net.linear(at + ".output", joined, WIDTH);
    x = net.layerNorm(at + ".norm1", net.add(at + ".add1", attended, x), 1e-12);
    String wide = net.unary(at + ".gelu", "Gelu", net.linear(at + ".wide", x, 4 * WIDTH));
    String narrow = net.linear(at + ".narrow", wide, WIDTH);
    return net.layerNorm(at + ".norm2", net.add(at + ".add2", narrow, x), 1e-12);
  }

  /** From batch, tokens, width to batch, heads, tokens, width of a head. */
  private static String heads(NetworkBuilder net, String at, String x, long tokens) {
    String apart = net.reshape(at + ".apart", x, 1, tokens, HEADS, HEAD);
    return net.transpose(at + ".heads", apart, 0, 2, 1, 3);
  }

  private static String joined(NetworkBuilder net, String at, String context, long tokens) {
    String back = net.transpose(at + ".tokens", context, 0, 2, 1, 3);
    return net.reshape(at + ".joined", back, 1, tokens, WIDTH);
  }

  /**
   * Two decoder blocks of GPT-2 (small) that work out one more token of a text of 1023, with the
   * keys and values of the text so far as inputs and the grown ones as outputs: Radford, Wu, Child,
   * Luan, Amodei, Sutskever, Language Models are Unsupervised Multitask Learners, OpenAI 2019.
   */
  static void gptBlock(NetworkBuilder net) {
    long past = 1023;
    net.note("Keys and values in and out are the cache; a runtime may let them share memory.");
    String x = net.input("hidden", 1, 1, WIDTH);
    for (int block = 0; block < 2; block++) {
      x = decoderBlock(net, "block" + block, x, past);
    }
    net.output(x);
  }

  private static String decoderBlock(NetworkBuilder net, String at, String x, long past) {
    String norm = net.layerNorm(at + ".norm1", x, 1e-5);
    List<String> parts =
        net.split(at + ".split", net.linear(at + ".attention", norm, 3 * WIDTH), 2, 3);
    String query = heads(net, at + ".query", parts.get(0), 1);
    String keys = grown(net, at + ".key", parts.get(1), past);
    String scores = net.matMul(at + ".scores", query, keys, true);
    String shares = net.softmax(at + ".shares", scores, 3);
    String values = grown(net, at + ".value", parts.get(2), past);
    String context = joined(net, at, net.matMul(at + ".context", shares, values, false), 1);
    x = net.add(at + ".add1", net.linear(at + ".output", context, WIDTH), x);
    String wide = net.linear(at + ".wide", net.layerNorm(at + ".norm2", x, 1e-5), 4 * WIDTH);
    String narrow = net.linear(at + ".narrow", net.unary(at + ".gelu", "Gelu", wide), WIDTH);
    return net.add(at + ".add2", narrow, x);
  }

  /** The keys or values of the text so far with those of the new token behind them. */
  private static String grown(NetworkBuilder net, String at, String x, long past) {
    String cache = net.input(at + ".past", 1, HEADS, past, HEAD);
    String all = net.concat(at + ".present", 2, cache, heads(net, at, x, 1));
    net.output(all);
    return all;
  }
}
