export { createLocalEnvironment } from './createLocalEnvironment.ts';
export type { LocalEnvironment, LocalEnvironmentOptions, PageEnvironment } from './createLocalEnvironment.ts';
export { controlClient } from './control/client.ts';
export type { ControlClient, SessionCookie } from './control/client.ts';
export { readyAuthenticatorKey, readyPassword } from './accounts.ts';
export { usualClient } from './clients.ts';
export { builtPage, createPageHost } from '@vestibule/service/page/pageHost';
export { accountSchema } from './control/accountSchema.ts';
export type { FaultRule } from './control/faults.ts';
export { familyDomain, hostOf, originOf, portFrom, roleOf } from './hosts.ts';
export type { HostRole } from './hosts.ts';
export { listen } from './http/listen.ts';
export type { Listening } from './http/listen.ts';
export { loopbackFetch } from './http/loopbackFetch.ts';
export type { LinkOverHttp, LinkRequest } from './links/linkRequest.ts';
export type { SentMessage } from './outbox.ts';
export type { BehaviourChange } from './providers/behaviour.ts';
export {
  googleClientId,
  googleRoutes,
  microsoftClientId,
  microsoftRoutes,
  microsoftTenantId,
} from './registration.ts';
export type { ProviderName } from './registration.ts';
export { cookiePrefix, environmentConfig } from './environmentConfig.ts';
