import { renamingToggled } from '@features/passkeys/passkeys.slice';
import type { FormScreens } from '../../architecture/formScreens';
import { passkeys } from '../../support/builders';

export const formScreens: FormScreens = {
  'the name of a passkey': {
    path: '/account-settings',
    signedIn: true,
    config: { extensions: ['passkeys'] },
    arrange: ({ api }) =>
      api.passkeys.list.mockResolvedValue({ userId: 'handle', passkeys: [passkeys.entry] }),
    reach: (app) => {
      app.dispatch(renamingToggled(passkeys.entry.id));
    },
    file: 'passkeys/PasskeysSection.tsx',
    fields: [
      {
        autocomplete: 'off',
        name: 'passkeyName',
        type: 'text',
        enterkeyhint: 'done',
        value: passkeys.entry.name,
      },
    ],
  },
};
