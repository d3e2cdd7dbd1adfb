import type { ThemeColour } from '@vestibule/contract/appConfig';
import { ofScheme } from '@vestibule/contract/looks';

/** Gives the bars of the browser a colour. */
export function setBarColour(colour: ThemeColour): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('[name=theme-color]'))
    meta.content = ofScheme(colour, meta.media.includes('dark') ? 'dark' : 'light');
}
