import type { CDPSession, Page } from '@playwright/test';

interface AuthenticatorKind {
  /** `usb`: a security key, which is plugged in. */
  readonly transport?: 'internal' | 'usb';
  /** `false`: the user fails the fingerprint or PIN. */
  readonly verifies?: boolean;
}

/** A virtual authenticator of Chromium's, of one tab. It answers while the user is present. */
export class Authenticator {
  private constructor(
    private readonly cdp: CDPSession,
    private readonly authenticatorId: string,
  ) {}

  /** Gives a tab an authenticator, whose user is not present yet. */
  static async of(
    page: Page,
    { transport = 'internal', verifies = true }: AuthenticatorKind = {},
  ): Promise<Authenticator> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable', { enableUI: false });
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: verifies,
        automaticPresenceSimulation: false,
      },
    });
    return new Authenticator(cdp, authenticatorId);
  }

  /** Whether the user touches the sensor when the browser asks. */
  async touch(touches = true): Promise<void> {
    await this.cdp.send('WebAuthn.setAutomaticPresenceSimulation', {
      authenticatorId: this.authenticatorId,
      enabled: touches,
    });
  }

  async verifies(isUserVerified: boolean): Promise<void> {
    await this.cdp.send('WebAuthn.setUserVerified', {
      authenticatorId: this.authenticatorId,
      isUserVerified,
    });
  }

  /** The ids of its passkeys, base64url, sorted. */
  async ids(): Promise<readonly string[]> {
    return (await this.credentials())
      .map(({ credentialId }) => Buffer.from(credentialId, 'base64').toString('base64url'))
      .sort();
  }

  /** The names of the users that it shows. */
  async userNames(): Promise<readonly (string | undefined)[]> {
    return (await this.credentials()).map(({ userName }) => userName);
  }

  /** Gives another tab the same passkeys, as on one device. */
  async copyTo(other: Authenticator): Promise<void> {
    for (const credential of await this.credentials())
      await other.cdp.send('WebAuthn.addCredential', { authenticatorId: other.authenticatorId, credential });
  }

  private async credentials() {
    const { credentials } = await this.cdp.send('WebAuthn.getCredentials', {
      authenticatorId: this.authenticatorId,
    });
    return credentials;
  }
}
