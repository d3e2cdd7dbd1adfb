import { texts } from '@shared/texts';

/** Texts for the events of passkeys. */
export const eventMessages = texts('passkeys/events', {
  activity: { 'passkey-added': 'Passkey added', 'passkey-removed': 'Passkey removed' },
  methods: { passkey: 'with a passkey' },
  notices: {
    'passkey-added': 'A passkey was added to your account.',
    'passkey-removed': 'A passkey was removed from your account.',
  },
});
