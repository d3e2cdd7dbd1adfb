/** @jest-environment node */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The exact sentences of docs/behaviour.md#errors, by the catalogue that must contain them. */
const sentences = {
  auth: [
    ...['Remember Me', 'Next', 'Sign In', 'Login Error', 'Ok'],
    'No Login Methods available',
    'create relation in db',
    'An unexpected error occurred. Please try again later. We apologize for the inconvenience.',
  ],
  refusals: [
    'We were unable to match the User ID and password you entered. Please check your entries and try again.',
    ...['Your account has no access', 'Authentication error. Please try again.'],
    'We were unable to verify your identity. Please try again.',
  ],
  signIn: ['Show Password', 'Forgot your password?', 'Sign in with Google'],
  dialogs: [
    'We could not reach the service. Check your connection and try again.',
    'The service had a problem. Try again in a moment.',
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

const source = join(__dirname, '../../src');
const suffix = '.messages.ts';
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith(suffix),
);
/** The texts of every catalogue, by the name of its file; what the file exports as `…Messages`. */
const catalogues = new Map<string, readonly string[]>();

beforeAll(async () => {
  for (const file of files) {
    const exported = (await import(join(source, file))) as Readonly<Record<string, unknown>>;
    const found = Object.entries(exported).filter(([name]) => name.endsWith('Messages'));
    catalogues.set(
      basename(file, suffix),
      found.flatMap(([, catalogue]) => textsOf(catalogue)),
    );
  }
});

describe('the texts of the behaviour book', () => {
  it.each(
    Object.entries(sentences).flatMap(([feature, list]) =>
      list.map((sentence) => [feature, sentence] as const),
    ),
  )('stand in the catalogue of %s: %s', (feature, sentence) => {
    expect(catalogues.get(feature)).toContain(sentence);
  });

  it('stand in catalogues that are exported as …Messages, from files with different names', () => {
    expect([...catalogues].filter(([, texts]) => texts.length === 0)).toEqual([]);
    expect(catalogues.size).toBe(files.length);
  });

  it('are never empty and have no surrounding spaces', () => {
    const blemished = [...catalogues.values()].flat().filter((text) => text === '' || text.trim() !== text);
    expect(blemished).toEqual([]);
  });
});
