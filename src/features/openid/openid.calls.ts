import { decoderOf, filled, time, unknownOr, type Decoded } from '@shared/api/decoder';
import type { Http } from '@shared/api/http';
import type { SharedDecoders } from '@shared/api/liveApi';
import type * as contract from '@vestibule/contract/schema';
import * as v from 'valibot';

declare module '@shared/api/api' {
  interface Api {
    readonly openid: ReturnType<typeof calls>;
  }
}

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
      scopes: v.array(v.string()),
    }),
    v.transform((given) => ({
      name: given.application.name,
      needsIdentity: given.needs.includes('identity'),
      needsConsent: given.needs.includes('consent'),
      what: whatOf(given.scopes),
    })),
  ),
);

/** The application that a user signs in to, what the user has to do first, and what the application will see. */
export type OpenIdRequest = Decoded<typeof requestResponse>;

const answerResponse = decoderOf<contract.OpenIdAnswerResponse>()(
  v.pipe(
    v.object({ redirectUrl: filled }),
    v.transform(({ redirectUrl }) => redirectUrl),
  ),
);

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
    http.get('/auth/v1/openid/requests/{id}', { bearer, segments: { id }, decoder: requestResponse }),
  /** The response has the address to go to. */
  answer: (bearer: string, id: string, body: contract.AnswerOpenIdRequest) =>
    http.post('/auth/v1/openid/requests/{id}', { bearer, segments: { id }, body, decoder: answerResponse }),
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
