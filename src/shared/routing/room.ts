import type { ComponentType } from 'react';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Deps } from '../deps';

/** A stay at an address: from entering it until another route, or another parameter of this one, is entered. */
export interface Visit {
  /** The pattern's parameters as they stand in the address, percent-encoded; a link's id is not masked. */
  readonly params: Readonly<Record<string, string>>;
}

/** What stands on a route. */
export interface Room {
  /** Drawn from the store. */
  readonly Screen: ComponentType;
  /** Everything that the screen starts; cancelled when the visit ends. */
  readonly work?: (deps: Deps, visit: Visit) => SagaGenerator<void>;
}
