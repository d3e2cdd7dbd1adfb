/*
 * The inline script of the page where the configuration offers languages; the host inserts it instead of `inlineEnglish.ts`. It shows the
 * texts of `index.html` in the language of the reader before the first paint.
 */
import { chooseLanguage } from '@vestibule/contract/languages';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { showFirstStep } from './inlineLogin';
import { cookie, linkTo } from './inlinePage';

/** The build writes as many texts as there are elements for them. */
type Texts = { readonly shift: () => string } & readonly string[];

function showLanguage({ cookies, languages = [] }: AppConfig): void {
  const language = chooseLanguage(
    languages,
    cookie(`${cookies.prefix}-language`),
    location.search,
    navigator.languages,
  );
  document.documentElement.lang = language;
  // Written by `fillPage`: the path of the catalogues; for each language its direction and its texts, nothing for English.
  const data = document.getElementById('languages')?.textContent ?? '';
  const [path, ...rows] = JSON.parse(data) as [string, ...string[]];
  const texts = rows[languages.indexOf(language)]?.split('|') as Texts | undefined;
  if (!texts?.[1]) return;
  const link = linkTo('preload', path.replace('*', language));
  link.as = 'fetch';
  document.head.append(link);
  document.dir = texts.shift();
  for (const { firstChild } of document.querySelectorAll<HTMLElement>('title, main *'))
    if ((firstChild as Text | null)?.data) (firstChild as Text).data = texts.shift();
}

showFirstStep(showLanguage);
