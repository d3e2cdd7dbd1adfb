import { QRCodeSVG } from 'qrcode.react';
import { mfaMessages } from '../mfa.messages';
import styles from './AppSetup.module.css';

/** Modules of white around the code that the standard asks for. */
const quietZone = 4;
/** Longest address that is drawn, characters: beyond it no camera reads the code, and at some length none can be made. */
const longestUrl = 700;

/** An `otpauth:` address as a picture, drawn in the page: the key goes to no other server. The key beside it serves where there is none. */
export function QrCode({ url }: { readonly url: string }) {
  if (url.length > longestUrl) return null;
  return (
    <QRCodeSVG
      className={styles['qrCode']}
      value={url}
      size={208}
      marginSize={quietZone}
      bgColor="#fff"
      fgColor="#000"
      title={mfaMessages.qrCode.picture}
    />
  );
}
