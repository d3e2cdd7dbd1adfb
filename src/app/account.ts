import { partOf } from '@shared/chunk';
import type { Feature } from '@shared/deps';

const purpose = (name: 'enable' | 'setup' | 'disable' | 'changePassword') => async () =>
  (await import(/* webpackChunkName: "screens" */ './flows/purposes.saga')).purposes[name];

/** The screens that show parts of several features. */
export const account = {
  name: 'account',
  routes: {
    accountSettings: {
      pattern: '/account-settings',
      access: 'setup',
      showsAccount: true,
      // The saga is in the chunk of the flows, so that its call is sent while the view is being loaded.
      chunk: partOf(
        () => import(/* webpackChunkName: "screens" */ './account-settings/accountSettings.saga'),
        'accountSettingsScreen',
      ),
    },
    askPassword: {
      pattern: '/ask-password/:authystatus',
      access: 'session',
      chunk: partOf(() => import('./flows/askPassword.saga'), 'askPasswordScreen'),
    },
  },
  purposes: {
    enable: purpose('enable'),
    setup: purpose('setup'),
    disable: purpose('disable'),
    changePassword: purpose('changePassword'),
  },
} as const satisfies Feature;
