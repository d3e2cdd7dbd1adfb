import { decoderOf, filled, type Decoded } from '@shared/api/decoder';
import type { Http } from '@shared/api/http';
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

const requestResponse = decoderOf<contract.OpenIdRequestResponse>()(
  v.pipe(
    v.object({
      application: v.object({ name: filled }),
      needs: v.array(v.string()),
      scopes: v.array(v.string()),
    }),
    // Values of later versions are left out.
    v.transform((given) => ({
      name: given.application.name,
      needsIdentity: given.needs.includes('identity'),
      needsConsent: given.needs.includes('consent'),
      what: scopes.filter((scope) => given.scopes.includes(scope)).map((scope) => seenBy[scope]),
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

export const calls = (http: Http) => ({
  request: (bearer: string, id: string) =>
    http.get('/auth/v1/openid/requests/{id}', { bearer, segments: { id }, decoder: requestResponse }),
  /** The response has the address to go to. */
  answer: (bearer: string, id: string, body: contract.AnswerOpenIdRequest) =>
    http.post('/auth/v1/openid/requests/{id}', { bearer, segments: { id }, body, decoder: answerResponse }),
});
