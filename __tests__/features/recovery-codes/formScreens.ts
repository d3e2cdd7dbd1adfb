import { codeKindSwitched } from '@features/auth/challenge/challenge.slice';
import type { FormScreens } from '../../architecture/formScreens';
import { signInWithPassword } from '../../support/openApp';

export const formScreens: FormScreens = {
  'the second step, by a recovery code': {
    path: '/login',
    config: { extensions: ['recovery-codes'] },
    reach: async (app) => {
      await signInWithPassword(app);
      await app.send(codeKindSwitched('recovery-codes'));
    },
    file: 'recovery-codes/RecoveryForm.tsx',
    fields: [
      {
        autocomplete: 'off',
        name: 'recoveryCode',
        type: 'text',
        enterkeyhint: 'go',
        autocapitalize: 'characters',
      },
    ],
  },
};
