import { componentIn, createOptionalChunk, partOf } from '@shared/chunk';
import type { Feature } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { provider } from './provider';
import { openidScenarios } from './openid.scenarios';

const fetch = () => import('./index');
const chunk = createOptionalChunk(fetch);

declare module '@shared/ports/vault' {
  interface VaultContents {
    /** The request whose user verifies the identity, then the proof: until the request is answered or its screen opens again. */
    readonly openid: {
      readonly id: string;
      readonly authVerificationToken?: string;
      /** The proof has no second step yet. */
      readonly isFirstStep?: boolean;
    };
  }
}

/** Other applications sign in here by OpenID Connect: what the page adds to the service's provider. */
export const openid = {
  name: 'openid',
  routes: {
    continueRequest: {
      pattern: '/continue/:id',
      isLink: true,
      returnsAfterLogin: true,
      access: 'session',
      chunk: partOf(fetch, 'continueScreen'),
    },
  },
  late: chunk,
  calls: { openid: () => import(/* webpackChunkName: "extensions" */ './openid.calls') },
  personal: ['name', 'busy', 'disconnected'],
  redirectsBelow: provider,
  usernameParameter: 'login_hint',
  ActivityPart: componentIn(chunk, (module) => module.ConnectedApplications),
  *whileActivityShown(deps) {
    const { connectedApplications } = yield* call(chunk.load);
    if (connectedApplications) yield* call(connectedApplications, deps);
  },
  eventTexts: createOptionalChunk(
    () => import(/* webpackChunkName: "extensions" */ './openidEvents.messages'),
  ),
  purposes: { continue: async () => (await fetch()).proofOfIdentity },
  ...(process.env['NODE_ENV'] !== 'production' && { scenarios: openidScenarios }),
} as const satisfies Feature;
