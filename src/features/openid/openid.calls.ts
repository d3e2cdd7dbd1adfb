import { decoderOf, filled, time, unknownOr, type Decoded } from '@shared/api/decoder';
import type { Http } from '@shared/api/http';
import type { SharedDecoders } from '@shared/api/liveApi';
import { parsedUrl } from '@vestibule/contract/redirects';
import type * as contract from '@vestibule/contract/schema';
import * as v from 'valibot';

declare module '@shared/api/api' {
  interface Api {
    readonly openid: ReturnType<typeof calls>;
  }
}

/** An address at which an application may begin anew: https, or http on this device. */
function openable(address: string | null): string | null {
  const url = address === null ? null : parsedUrl(address);
  if (url?.protocol === 'https:') return url.href;
  const isOnDevice = url && /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  return url?.protocol === 'http:' && isOnDevice ? url.href : null;
}

/** The refusal of a request that is over. */
const requestOver = decoderOf<contract.RequestOverResponse>()(
  v.pipe(
    v.object({
      error: v.object({
        code: filled,
        application: v.optional(v.object({ name: filled, url: unknownOr })),
      }),
    }),
    v.check(({ error }) => error.code === 'request_over'),
    v.transform(({ error: { application } }): RequestOver => {
      const url = openable(application?.url ?? null);
      return { over: application && url !== null ? { name: application.name, url } : null };
    }),
  ),
);

/** The request is over. The application begins anew at `url`; `null`: it is not known. */
export interface RequestOver {
  readonly over: { readonly name: string; readonly url: string } | null;
}

const refusal = { status: 404, decoder: requestOver } as const;

/** What an application sees of the user, by its scope. */
const seenBy = {
  profile: 'name',
  email: 'email',
  applications: 'applications',
  offline_access: 'offline',
} as const;
const scopes = ['profile', 'email', 'applications', 'offline_access'] as const;
/** Values of later versions are left out. */
const whatOf = (given: readonly string[]) =>
  scopes.filter((scope) => given.includes(scope)).map((scope) => seenBy[scope]);

const requestResponse = decoderOf<contract.OpenIdRequestResponse>()(
  v.pipe(
    v.object({
      application: v.object({ name: filled }),
      needs: v.array(v.string()),
      secondStep: v.nullable(v.string()),
      scopes: v.array(v.string()),
    }),
    v.transform((given) => ({
      name: given.application.name,
      needsIdentity: given.needs.includes('identity'),
      needsConsent: given.needs.includes('consent'),
      needsCode: given.secondStep !== null,
      asksWho: given.needs.length === 0,
      what: whatOf(given.scopes),
    })),
  ),
);

/**
 * The application that a user signs in to, what the user has to do first, and what the application will see. `needsCode`: a proof of
 * identity has a second step. `asksWho`: it asks only which account is used.
 */
export type OpenIdRequest = Decoded<typeof requestResponse>;

const answerResponse = decoderOf<contract.OpenIdAnswerResponse>()(
  v.pipe(
    v.object({ redirectUrl: filled }),
    v.transform(({ redirectUrl }) => redirectUrl),
  ),
);

export type SentCode = Decoded<typeof codeResponse>;

const codeResponse = decoderOf<contract.OpenIdCodeResponse>()(v.object({ lastFourPhone: unknownOr }));

const applicationsResponse = decoderOf<contract.OpenIdApplicationsResponse>()(
  v.pipe(
    v.object({
      applications: v.array(
        v.object({
          id: filled,
          name: filled,
          url: unknownOr,
          scopes: v.array(v.string()),
          connectedAt: time,
        }),
      ),
    }),
    v.transform(({ applications }) =>
      applications.map(({ scopes: given, url, ...application }) => ({
        ...application,
        // A link of another scheme could run a script.
        url: url !== null && /^https?:\/\//i.test(url) ? url : null,
        what: whatOf(given),
      })),
    ),
  ),
);

/** An application that the user is connected to, and what it sees. `connectedAt` is ISO 8601. */
export type ConnectedApplication = Readonly<Decoded<typeof applicationsResponse>[number]>;

export const calls = (http: Http, { done }: SharedDecoders) => ({
  request: (bearer: string, id: string) =>
    http.get<'/auth/v1/openid/requests/{id}', OpenIdRequest | RequestOver>('/auth/v1/openid/requests/{id}', {
      ...{ bearer, segments: { id }, refusal },
      decoder: requestResponse,
    }),
  /** The response has the address to go to. */
  answer: (bearer: string, id: string, body: contract.AnswerOpenIdRequest) =>
    http.post<'/auth/v1/openid/requests/{id}', string | RequestOver>('/auth/v1/openid/requests/{id}', {
      ...{ bearer, segments: { id }, body, refusal },
      decoder: answerResponse,
    }),
  /** `lastFourPhone`: a text message was sent to this phone; `null`: an authenticator app has the code. */
  sendCode: (bearer: string, id: string, body: contract.SendOpenIdCode) =>
    http.post<'/auth/v1/openid/requests/{id}/code', SentCode | RequestOver>(
      '/auth/v1/openid/requests/{id}/code',
      { ...{ bearer, segments: { id }, body, refusal }, decoder: codeResponse },
    ),
  applications: (bearer: string) =>
    http.get('/auth/v1/openid/applications', { bearer, segments: {}, decoder: applicationsResponse }),
  disconnect: (bearer: string, id: string) =>
    http.post('/auth/v1/openid/applications/{id}/disconnect', {
      bearer,
      segments: { id },
      body: {},
      decoder: done,
    }),
});
