import type * as contract from '@vestibule/contract/schema';
import { done } from './decoders';
import {
  activityResponse,
  answerNoticeResponse,
  knownDeviceResponse,
  noticeResponse,
  sessionsResponse,
  trustedDevicesResponse,
} from './extensionDecoders';
import type { Http } from './http';

export type ExtensionCalls = ReturnType<typeof extensionCalls>;

/** The calls of extensions, by group and name. A page without an extension does not load them. */
export const extensionCalls = (http: Http) => ({ devices: deviceCalls(http) });

/** Calls of the extensions `sessions` and `notices`. Only where the configuration lists it. */
const deviceCalls = (http: Http) => ({
  sessions: (bearer: string) =>
    http.get('/auth/v1/sessions', { bearer, segments: {}, decoder: sessionsResponse }),
  endSessions: (bearer: string, body: contract.EndSessionsRequest) =>
    http.post('/auth/v1/sessions/end', { bearer, body, decoder: done }),
  trustedDevices: (bearer: string) =>
    http.get('/auth/v1/trusted-devices', { bearer, segments: {}, decoder: trustedDevicesResponse }),
  forgetDevices: (bearer: string, body: contract.ForgetDevicesRequest) =>
    http.post('/auth/v1/trusted-devices/forget', { bearer, body, decoder: done }),
  /** @param before - the `next` of the page before */
  activity: (bearer: string, before?: string) =>
    http.get('/auth/v1/activity', {
      bearer,
      segments: {},
      ...(before !== undefined && { query: { before } }),
      decoder: activityResponse,
    }),
  /** After each sign-in. Goes on when the page is left. */
  know: (bearer: string, body: contract.KnownDeviceRequest) =>
    http.post('/auth/v1/devices/known', { bearer, body, decoder: knownDeviceResponse, keepalive: true }),
  notice: (hash: string) =>
    http.get('/auth/v1/notices/{hash}', { segments: { hash }, decoder: noticeResponse }),
  answerNotice: (hash: string, mine: boolean) =>
    http.post('/auth/v1/notices/{hash}', {
      segments: { hash },
      body: { mine },
      decoder: answerNoticeResponse,
    }),
});
