import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { requestAnswered } from '@features/openid/continue.slice';
import type { FormScreens } from '../../architecture/formScreens';
import { settle } from '../../support/openApp';

export const formScreens: FormScreens = {
  'the second step for another application': {
    path: '/continue/q-1',
    signedIn: true,
    config: { extensions: ['openid'] },
    arrange: ({ api }) => {
      api.openid.request.mockResolvedValue({
        ...{ name: 'Reports', needsIdentity: true, needsConsent: false, needsCode: true },
        ...{ asksWho: false, what: [] },
      });
      api.openid.sendCode.mockResolvedValue({ lastFourPhone: '0143' });
    },
    reach: async (app) => {
      app.dispatch(requestAnswered({ allow: true }));
      await settle();
      app.dispatch(identityPasswordSubmitted('Corr3ct-horse'));
      await settle();
    },
    file: '../shared/ui/fields/CodeForm.tsx',
    fields: [
      {
        ...{ autocomplete: 'one-time-code', name: 'otp', type: 'text', enterkeyhint: 'go' },
        ...{ inputmode: 'numeric', autocapitalize: 'none' },
      },
    ],
  },
};
