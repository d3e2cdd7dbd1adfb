/**
 * Whether a part of the application could not be fetched, as webpack and its style loader tell it: lost on the way, or gone
 * from the host since a deployment.
 */
export function isLostPart(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return error.name === 'ChunkLoadError' || ('code' in error && error.code === 'CSS_CHUNK_LOAD_FAILED');
}
