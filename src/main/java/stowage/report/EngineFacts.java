package stowage.report;

/**
 * What a complete engine says of itself.
 *
 * @param version its name and version
 * @param branches branches or nodes it explored
 * @param conflicts conflicts or failures it met
 * @param bound the bound it proved itself, in bytes; null when it proved none
 */
public record EngineFacts(String version, long branches, long conflicts, Long bound) {}
