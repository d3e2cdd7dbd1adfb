import { requestAnswered } from '@features/openid/continue.slice';
import { byPassword, open, type Journey } from '../../dev/devtools/journeys';

export const journeys: Readonly<Record<string, Journey>> = {
  'to another application, after a proof of identity': {
    open: (browser) => {
      const deps = open({ path: '/continue/q-1', config: { extensions: ['openid'] } }, 'password', browser);
      deps.api.openid.request.mockResolvedValue({
        name: 'Reports',
        needsIdentity: true,
        needsConsent: false,
        needsCode: false,
        asksWho: false,
        what: [],
      });
      deps.api.openid.answer.mockResolvedValue(`${deps.config.serviceUrl}/oidc/auth/q-1`);
      return deps;
    },
    run: async (drive) => {
      await drive.act(requestAnswered({ allow: true }));
      await byPassword(drive);
    },
    end: '/continue/q-1',
  },
};
