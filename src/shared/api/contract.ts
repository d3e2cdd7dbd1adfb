import type { paths } from '@contract/schema.gen';

/** The contract as types: which paths there are, what they take and what they answer. Erased from the bundle. */

/** HTTP method of a call. */
export type Verb = 'get' | 'post';

/** Paths of the contract that answer to the method. */
export type PathOf<V extends Verb> = {
  [P in keyof paths]: paths[P] extends Record<V, object> ? P : never;
}[keyof paths];

/** What stands in braces in the path: `/users/{uid}` → `uid`. */
export type SegmentOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | SegmentOf<Rest>
  : never;

/** JSON body that the call takes. */
export type BodyOf<P extends PathOf<'post'>> = paths[P]['post'] extends {
  readonly requestBody: { readonly content: { readonly 'application/json': infer Body } };
}
  ? Body
  : never;

/** JSON that the call answers with status 200. */
export type AnswerOf<V extends Verb, P extends PathOf<V>> =
  paths[P] extends Record<
    V,
    { responses: { 200: { content: { readonly 'application/json': infer Answer } } } }
  >
    ? Answer
    : never;
