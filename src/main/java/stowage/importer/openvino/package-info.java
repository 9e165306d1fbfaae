/** OpenVINO's intermediate representation (IR) as networks. */
package stowage.importer.openvino;
