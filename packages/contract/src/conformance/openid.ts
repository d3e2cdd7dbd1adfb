import { randomUUID } from 'node:crypto';
import { expectError, type Check, type ExtensionChecks, type ExtensionTools } from './checks.ts';

function openIdChecks({ call, checker, send, openSession }: ExtensionTools): readonly Check[] {
  return ['getOpenIdRequest', 'answerOpenIdRequest'].map((id) => ({
    call: id,
    rule: 'an unknown request is refused with 404',
    run: async () => {
      const operation = call(id);
      const { token: bearer } = await openSession();
      const body = id === 'answerOpenIdRequest' ? { body: { allow: false } } : {};
      const params = { id: `conformance-${randomUUID()}` };
      expectError(checker, operation, await send(operation, { bearer, params, ...body }), 404, 404);
    },
  }));
}

/** Checks of OpenID Connect requests that do not exist. */
export const openId: ExtensionChecks = { name: 'openid', signedIn: openIdChecks };
