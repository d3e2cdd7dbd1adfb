import { randomUUID } from 'node:crypto';
import {
  bodyOf,
  expectError,
  Fault,
  type Check,
  type ExtensionChecks,
  type ExtensionTools,
} from './checks.ts';

function noticesChecks({ call, checker, send, openSession }: ExtensionTools): readonly Check[] {
  const know = call('knowDevice');
  const known = async (bearer: string, deviceToken?: string): Promise<unknown> => {
    const body = deviceToken === undefined ? {} : { deviceToken };
    return bodyOf({ checker }, know, await send(know, { bearer, body }))['deviceToken'];
  };
  const stranger = `conformance-${randomUUID()}`;
  return [
    {
      call: know.id,
      rule: 'a device keeps its token, and a token that the service has not issued is not adopted',
      run: async () => {
        const { token: bearer } = await openSession();
        const deviceToken = String(await known(bearer));
        if ((await known(bearer, deviceToken)) !== deviceToken) throw new Fault('the token was replaced');
        if ((await known(bearer)) === deviceToken) throw new Fault('two devices have one token');
        if ((await known(bearer, stranger)) === stranger) throw new Fault('the unknown token was adopted');
      },
    },
    ...['getNotice', 'answerNotice'].map((id) => ({
      call: id,
      rule: 'an unknown notice is refused with 404',
      run: async () => {
        const body = id === 'answerNotice' ? { body: { mine: false } } : {};
        expectError(
          checker,
          call(id),
          await send(call(id), { params: { hash: stranger }, ...body }),
          404,
          404,
        );
      },
    })),
  ];
}

/** Checks of known devices, and of notices that do not exist. */
export const notices: ExtensionChecks = { name: 'notices', signedIn: noticesChecks };
