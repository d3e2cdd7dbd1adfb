// @ts-check
import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import catalogues from './scripts/build/catalogues.js';
import { textsIn } from './scripts/texts/textsIn.mjs';

export default defineConfig({
  sourceLocale: 'en',
  locales: catalogues.languagesIn(catalogues.folder),
  catalogs: [
    { path: '<rootDir>/locales/{locale}', include: ['src'] },
    { path: '<rootDir>/packages/service/locales/{locale}', include: ['packages/service/src'] },
  ],
  orderBy: 'origin',
  format: formatter({ lineNumbers: false }),
  extractors: [
    {
      match: (file) => file.endsWith('.messages.ts'),
      extract: (file, code, onMessageExtracted) => {
        for (const { id: context, message, placeholders, comment, line } of textsIn(file, code))
          onMessageExtracted({
            id: generateMessageId(message, context),
            message,
            context,
            placeholders,
            ...(comment === undefined ? {} : { comment }),
            origin: [file, line],
          });
      },
    },
  ],
});
