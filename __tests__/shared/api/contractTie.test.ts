import type * as contract from '@contract/schema.gen';
import { decoderOf } from '@shared/api/decoder';
import type { Http } from '@shared/api/http';
import { refreshAnswer, userAnswer } from '@shared/api/decoders';
import * as v from 'valibot';

/*
 * What has to be a type error when contract and application drift apart. Each `@ts-expect-error` is itself an error
 * for `tsc` as soon as the line below it would compile.
 */

it('a decoder that follows the contract compiles, and decodes', () => {
  const follows = decoderOf<contract.RefreshAnswer>()(v.object({ token: v.string() }));
  expect(v.parse(follows.schema, { token: 't' })).toEqual({ token: 't' });
});

it('a decoder that has drifted from it does not compile', () => {
  // @ts-expect-error -- the contract has no such property: it was renamed
  decoderOf<contract.RefreshAnswer>()(v.object({ accessToken: v.optional(v.string()) }));
  const deep = v.object({ data: v.object({ attributes: v.object({ mail: v.nullish(v.string()) }) }) });
  // @ts-expect-error -- nor at any depth
  decoderOf<contract.UserAnswer>()(deep);
  // @ts-expect-error -- the contract answers text
  decoderOf<contract.RefreshAnswer>()(v.object({ token: v.number() }));
  // @ts-expect-error -- the contract allows it to be left out
  decoderOf<contract.TokenAnswer>()(v.object({ token: v.string() }));
  // @ts-expect-error -- the contract allows null
  decoderOf<contract.UserAttributes>()(v.object({ lastReset: v.string() }));
  // @ts-expect-error -- the contract allows both values
  decoderOf<contract.TokenAnswer>()(v.object({ mfaType: v.optional(v.picklist(['mfa'])) }));
  expect.assertions(0);
});

it('a call that has drifted from it does not compile', () => {
  const calls = (http: Http) => [
    http.post('/auth/v1/refresh', { body: { refresh: 'r' }, decoder: refreshAnswer }),
    // @ts-expect-error -- no such path
    http.post('/auth/v2/refresh', { body: { refresh: 'r' }, decoder: refreshAnswer }),
    // @ts-expect-error -- not with this method
    http.get('/auth/v1/refresh', { segments: {}, decoder: refreshAnswer }),
    // @ts-expect-error -- another name in the body
    http.post('/auth/v1/refresh', { body: { refreshToken: 'r' }, decoder: refreshAnswer }),
    // @ts-expect-error -- the decoder of another call
    http.post('/auth/v1/refresh', { body: { refresh: 'r' }, decoder: userAnswer }),
    // @ts-expect-error -- the name of the segment
    http.get('/user-management/v1/users/{uid}', { segments: { id: 'u' }, decoder: userAnswer }),
  ];
  expect(calls).toBeInstanceOf(Function);
});
