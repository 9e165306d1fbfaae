/**
 * The networks under {@code models/networks}, the families of networks that are built from
 * parameters ({@link stowage.experiment.networks.NetworkGenerators}), and steps of training made of
 * them ({@link stowage.experiment.networks.TrainingGraph}).
 */
package stowage.experiment.networks;
