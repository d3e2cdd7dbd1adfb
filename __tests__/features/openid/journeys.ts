import { codeSubmitted, newCodeRequested, requestAnswered } from '@features/openid/continue.slice';
import { ApiError } from '@shared/api/apiError';
import { byPassword, open, type Journey } from '../../dev/devtools/journeys';
import { secrets } from '../../dev/devtools/markedSecrets';
import type { FakeBrowser, FakeDeps } from '../../support/fakeDeps';

function openRequest(browser: FakeBrowser, needsCode: boolean): FakeDeps {
  const deps = open({ path: '/continue/q-1', config: { extensions: ['openid'] } }, 'password', browser);
  deps.api.openid.request.mockResolvedValue({
    ...{ name: 'Reports', needsIdentity: true, needsConsent: false, needsCode, asksWho: false, what: [] },
  });
  deps.api.openid.answer.mockResolvedValue(`${deps.config.serviceUrl}/oidc/auth/q-1`);
  return deps;
}

export const journeys: Readonly<Record<string, Journey>> = {
  'to another application, after a proof of identity': {
    open: (browser) => openRequest(browser, false),
    run: async (drive) => {
      await drive.act(requestAnswered({ allow: true }));
      await byPassword(drive);
    },
    end: '/continue/q-1',
  },
  'to another application, after both steps of a proof': {
    open: (browser) => {
      const deps = openRequest(browser, true);
      const wrong = new ApiError('server', { status: 401, serverCode: 'code_wrong' });
      deps.api.openid.sendCode.mockResolvedValue({ lastFourPhone: '0143' });
      deps.api.openid.answer.mockRejectedValueOnce(wrong);
      return deps;
    },
    run: async (drive) => {
      await drive.act(requestAnswered({ allow: true }));
      await byPassword(drive);
      await drive.act(codeSubmitted(secrets.wrongCode));
      await drive.confirm();
      await drive.pass(1500);
      await drive.act(newCodeRequested());
      await drive.pass(6000);
      await drive.act(codeSubmitted(secrets.code));
    },
    end: '/continue/q-1',
  },
};
