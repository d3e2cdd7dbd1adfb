import { randomUUID } from 'node:crypto';
import {
  bodyOf,
  expectError,
  Fault,
  type Check,
  type ExtensionChecks,
  type ExtensionTools,
} from './checks.ts';

function openIdChecks(tools: ExtensionTools): readonly Check[] {
  const { call, checker, send, openSession } = tools;
  const list = call('listOpenIdApplications');
  const unknown: readonly (readonly [id: string, what: string, content: object])[] = [
    ['getOpenIdRequest', 'request', {}],
    ['answerOpenIdRequest', 'request', { body: { allow: false } }],
    ['disconnectOpenIdApplication', 'application', { body: {} }],
  ];
  return [
    ...unknown.map(([id, what, content]) => ({
      call: id,
      rule: `an unknown ${what} is refused with 404`,
      run: async () => {
        const operation = call(id);
        const { token: bearer } = await openSession();
        const params = { id: `conformance-${randomUUID()}` };
        expectError(checker, operation, await send(operation, { bearer, params, ...content }), 404, 404);
      },
    })),
    {
      call: list.id,
      rule: 'the connected applications are listed, the newest first',
      run: async () => {
        const { token: bearer } = await openSession();
        const { applications } = bodyOf(tools, list, await send(list, { bearer }));
        const times = (applications as readonly { readonly connectedAt: string }[]).map(
          ({ connectedAt }) => connectedAt,
        );
        if (times.some((at, index) => at > (times[index - 1] ?? at)))
          throw new Fault('the applications are not in order');
      },
    },
  ];
}

/** Checks of OpenID Connect requests and applications that do not exist, and of the list of applications. */
export const openId: ExtensionChecks = { name: 'openid', signedIn: openIdChecks };
