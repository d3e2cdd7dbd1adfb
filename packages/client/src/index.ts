export type { Claims } from './claims.ts';
export type { EndReason } from './eventRules.ts';
export { embedSignOn, type Embedded, type EmbedOptions } from './embed.ts';
export {
  createSession,
  type Session,
  type SessionEvent,
  type SessionListener,
  type SessionOptions,
} from './session.ts';
