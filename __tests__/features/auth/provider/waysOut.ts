import { providerAbandoned, usernameChangeRequested } from '@features/auth/sign-in/signIn.slice';
import { sessionEnded } from '@features/session';
import type { ProviderApp } from './openWithProviders';

/** The ways out of a pending flow, and the screen that each leads to. */
export const waysOut: readonly (readonly [string, (app: ProviderApp) => void, object])[] = [
  ['Cancel', (app) => app.dispatch(providerAbandoned()), { phase: 'choosing', provider: null }],
  ['the way back to the username', (app) => app.dispatch(usernameChangeRequested()), { phase: 'username' }],
  ['leaving /login', (app) => app.deps.navigation.visit('/unauthorized'), { phase: 'choosing' }],
  ['a session that ended', (app) => app.dispatch(sessionEnded({ reason: 'expired' })), { phase: 'username' }],
  ['the way back from the application', (app) => app.deps.pageLife.emit('restored'), { phase: 'username' }],
];
