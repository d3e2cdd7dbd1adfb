import type { Http } from '@shared/api/http';
import type { SharedDecoders } from '@shared/api/liveApi';
import type * as contract from '@vestibule/contract/schema';

declare module '@shared/api/api' {
  interface Api {
    readonly revoke: ReturnType<typeof calls>;
  }
}

export const calls = (http: Http, { done }: SharedDecoders) => ({
  /** Ends a session or revokes a setup token. The call continues when the page is left. */
  end: (body: contract.RevokeRequest) =>
    http.post('/auth/v1/revoke', { body, decoder: done, keepalive: true }),
});
