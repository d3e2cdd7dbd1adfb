/** @throws Error when `PORT` is not the number of a port. */
export function portFrom(text: string | undefined): number {
  if (text === undefined || text === '') return 4000;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new Error(`PORT must be a number from 1 to 65535, not '${text}'.`);
}
