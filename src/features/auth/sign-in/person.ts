import type { LoginMethod } from '@shared/api/api';

/** Somebody whose methods are known. */
export interface Person {
  readonly username: string;
  readonly rememberMe: boolean;
  readonly methods: readonly LoginMethod[];
}
