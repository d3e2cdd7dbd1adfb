import type { Claims } from './claims';
import type { Access, Embedding, SessionState } from './session.slice';

/** The part of the root state that this feature owns. */
export interface SessionRoot {
  readonly session: SessionState;
}

export const selectAccess = (state: SessionRoot): Access => state.session.access;
export const selectEmbedding = (state: SessionRoot): Embedding => state.session.embedding;
export const selectIsEmbedded = (state: SessionRoot): boolean => state.session.embedding !== 'none';
export const selectIsStoragePartitioned = (state: SessionRoot): boolean => state.session.isStoragePartitioned;
export const selectClaims = (state: SessionRoot): Claims | null =>
  'claims' in state.session.access ? state.session.access.claims : null;
