/** @jest-environment node */
import { configMessages } from '@app/config/config.messages';
import { detailsMessages } from '@app/crash/details.messages';
import { labMessages } from '@app/lab/lab.messages';
import { authMessages } from '@features/auth/auth.messages';
import { challengeMessages } from '@features/auth/challenge/challenge.messages';
import { linkMessages } from '@features/auth/links/links.messages';
import { providerMessages } from '@features/auth/provider/provider.messages';
import { ownWindowMessages } from '@features/auth/sign-in/ownWindow.messages';
import { verifyMessages } from '@features/auth/verify-identity/verifyIdentity.messages';
import { mfaMessages } from '@features/mfa/mfa.messages';
import { passwordMessages } from '@features/password/password.messages';
import { sessionMessages } from '@features/session/session.messages';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The exact sentences of docs/behaviour.md#errors, by the catalogue that must contain them. */
const sentences = {
  auth: [
    ...['Remember Me', 'Next', 'Show Password', 'Sign In', 'Forgot your password?', 'Sign in with Google'],
    ...['Login Error', 'Ok'],
    'No Login Methods available',
    'We were unable to match the User ID and password you entered. Please check your entries and try again.',
    'Your account has no access',
    ...['Authentication error. Please try again.', 'create relation in db'],
    'We were unable to verify your identity. Please try again.',
    'An unexpected error occurred. Please try again later. We apologize for the inconvenience.',
  ],
  challenge: [
    ...['Enter MFA Code', 'Please enter an MFA code to complete sign-in.', 'Trust this device', 'Submit'],
    ...[
      "Didn't get the code?",
      'Resend',
      'A new six digit code has been sent to your phone',
      'Back to Login',
    ],
    ...['Incorrect Security or Verification Code', 'Incorrect code. Please enter verification code again.'],
    'Too many failed login attempts',
  ],
  verifyIdentity: [
    ...["To continue, first verify it's you", 'Settings', 'Next'],
    'You are authenticated via Google. Click Next to reauthenticate and continue.',
    'You are authenticated via Microsoft. Click Next to reauthenticate and continue.',
    'Your session will expire in 30 seconds. Please complete verification soon.',
  ],
  links: ['Your Link Has Expired', 'Sorry, your link is either invalid or expired.'],
  provider: [
    'Unable to log in with Google',
    'Microsoft Active Directory not properly configured, please contact {0}',
    ...['No authorization code received', 'Microsoft configuration incomplete'],
  ],
  session: [
    ...['Back', 'Logout'],
    'An unexpected error occurred. Please try again later. We apologize for the inconvenience.',
  ],
  mfa: [
    ...['Enable 2-Step Verification', 'Authenticator App', 'SMS Text Message', 'recommended'],
    ...["Let's set up your phone", 'Enter Phone Number', 'Continue', 'Enter the verification code', 'Verify'],
    'We just sent a text message with your verification code to your phone number ending in',
    ...['Enter the 6-digit code from your app', 'Back to Phone Setup', 'Back to QR Code'],
    ...['active', 'Get Started', 'Change Number', 'Add New App', 'Turn Off'],
    ...['Sign In', 'Done'],
    ...['Incorrect Security or Verification Code', 'Incorrect code. Please enter verification code again.'],
  ],
  password: [
    ...['You have never changed your password', 'Reset Link Sent', 'Resend'],
    ...[
      'Please enter a new password',
      'Please match the requested format',
      'Please meet the password requirements',
    ],
    ...['Please make sure your passwords match', 'There was an error resetting your password.'],
    'Network Error',
  ],
} as const;

/** Every text of a catalogue; one that is built from values gets '{0}', '{1}'. */
function textsOf(catalogue: unknown): readonly string[] {
  if (typeof catalogue === 'string') return [catalogue];
  if (typeof catalogue === 'function') {
    const placeholders = Array.from({ length: catalogue.length }, (_, index) => `{${String(index)}}`);
    return [String(Reflect.apply(catalogue, undefined, placeholders))];
  }
  return typeof catalogue === 'object' && catalogue !== null ? Object.values(catalogue).flatMap(textsOf) : [];
}

const catalogues = {
  config: textsOf(configMessages),
  auth: textsOf(authMessages),
  challenge: textsOf(challengeMessages),
  links: textsOf(linkMessages),
  ownWindow: textsOf(ownWindowMessages),
  verifyIdentity: textsOf(verifyMessages),
  provider: textsOf(providerMessages),
  session: textsOf(sessionMessages),
  mfa: textsOf(mfaMessages),
  password: textsOf(passwordMessages),
  details: textsOf(detailsMessages),
  lab: textsOf(labMessages),
};

const source = join(__dirname, '../../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' });

describe('the texts of the behaviour book', () => {
  it.each(
    Object.entries(sentences).flatMap(([feature, list]) =>
      list.map((sentence) => [feature, sentence] as const),
    ),
  )('stand in the catalogue of %s: %s', (feature, sentence) => {
    expect(catalogues[feature as keyof typeof catalogues]).toContain(sentence);
  });

  it('are checked for every existing catalogue', () => {
    const found = files.filter((file) => file.endsWith('.messages.ts')).map((file) => basename(file));
    expect(found.sort()).toEqual(
      Object.keys(catalogues)
        .map((name) => `${name}.messages.ts`)
        .sort(),
    );
  });

  it('are never empty and have no surrounding spaces', () => {
    const blemished = Object.values(catalogues)
      .flat()
      .filter((text) => text === '' || text.trim() !== text);
    expect(blemished).toEqual([]);
  });
});
