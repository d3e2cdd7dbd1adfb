import type { SettingsPart } from '../capability.ts';
import { onOff } from '../platform/settings/variables.ts';
import type { ServiceContext } from '../core/context.ts';
import type { ServiceSettings } from '../core/settings/options.ts';

export interface NoticeSettings extends ServiceSettings {
  /** Whether owners get mails about sign-ins on new devices and other events, with a link to `/security-notice`. Default `false`. */
  readonly notices: boolean;
}

export interface NoticeContext extends ServiceContext {
  readonly settings: NoticeSettings;
}

export const noticeSettings: SettingsPart<NoticeSettings> = {
  defaults: { notices: false },
  read: (read) => ({ notices: read('NOTICES', onOff) }),
  deployment: {
    names: [],
    variables: ({ extensions }): Readonly<Record<string, string>> =>
      extensions.includes('notices') ? { NOTICES: 'on' } : {},
  },
};
