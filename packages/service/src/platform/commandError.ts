/** A command is invalid, or the account does not exist; the message is for the administrator. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
