/**
 * The networks under {@code models/networks}, the families of networks that are built from
 * parameters ({@link stowage.generator.networks.NetworkGenerators}), and steps of training made of
 * them ({@link stowage.generator.networks.TrainingGraph}).
 */
package stowage.generator.networks;
