export type { Claims } from './claims.ts';
export { embedSignOn, type EmbedOptions } from './embed.ts';
export { createSession, type Session, type SessionEvent, type SessionOptions } from './session.ts';
