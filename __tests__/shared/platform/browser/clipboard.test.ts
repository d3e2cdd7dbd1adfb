/** @jest-environment node */
import { createClipboard } from '@shared/platform/browser/createBrowserPlatform';

type Browser = Parameters<typeof createClipboard>[0];

// Only what the port touches; `undefined`: a page without a secure context.
const browserWith = (writeText: ((text: string) => Promise<void>) | undefined): Browser =>
  ({ navigator: { clipboard: writeText && { writeText } } }) as unknown as Browser;

describe('the clipboard', () => {
  it('takes the text as it is', async () => {
    const written: string[] = [];
    const clipboard = createClipboard(
      browserWith((text) => {
        written.push(text);
        return Promise.resolve();
      }),
    );
    await expect(clipboard.copy('JBSW Y3DP')).resolves.toBe(true);
    expect(written).toEqual(['JBSW Y3DP']);
  });

  it('says no where the browser refuses', async () => {
    const refuse = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    await expect(createClipboard(browserWith(refuse)).copy('x')).resolves.toBe(false);
  });

  it('says no where the browser has none', async () => {
    await expect(createClipboard(browserWith(undefined)).copy('x')).resolves.toBe(false);
  });

  it('is asked in the same turn', () => {
    const writeText = jest.fn(() => Promise.resolve());
    void createClipboard(browserWith(writeText)).copy('x');
    expect(writeText).toHaveBeenCalledTimes(1);
  });
});
