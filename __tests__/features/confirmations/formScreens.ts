import { textRequested } from '@features/confirmations/proof.slice';
import type { FormScreens } from '../../architecture/formScreens';
import { confirmation } from './openConfirmation';

const field = {
  autocomplete: 'one-time-code',
  name: 'otp',
  type: 'text',
  enterkeyhint: 'go',
  inputmode: 'numeric',
  autocapitalize: 'none',
} as const;

export const formScreens: FormScreens = {
  'the code of a payment': {
    path: '/confirm/c-1',
    signedIn: true,
    config: { extensions: ['confirmations'] },
    arrange: ({ api }) => {
      api.confirmations.confirmation.mockResolvedValue(confirmation);
      api.confirmations.sendText.mockResolvedValue({ lastFourPhone: '0143' });
    },
    reach: (app) => {
      app.dispatch(textRequested());
    },
    file: '../shared/ui/fields/CodeForm.tsx',
    fields: [field],
  },
};
