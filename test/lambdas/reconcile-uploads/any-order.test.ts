import { describe, test } from 'vitest';
import { invariantTest } from '../support/invariants.ts';
import { live, plans, plansThatDelete } from './any-order-fixture.ts';
import {
  allButTheNewestAreSuperseded,
  completedIsAnnouncedBefore,
  completedIsInTheFileBefore,
  contentIsNeverMissing,
  eventsNameTheStoredVersion,
  everyRecordIsDeletedLater,
  exactlyWhatGotAnObjectEnds,
  fileAgreesWithItsUpload,
  fileHasTheNewestUpload,
  lastEventSaysTheEnd,
  noContentIsStored,
  nothingExpiresAfterItsEnd,
  nothingStaysDue,
  onlyTheNewestContentIsStored,
} from './any-order-model.ts';

// More for a long run: `HISTORIES=20000 npx vitest run test/lambdas/reconcile-uploads/any-order --testTimeout 3600000`.
const defaults = 500;

const always = {
  'S3 never lacks the content of the file': contentIsNeverMissing,
  'an upload is announced before it is completed': completedIsAnnouncedBefore,
  'the file has an upload, or a later one, before it is completed': completedIsInTheFileBefore,
  'no upload stays due': nothingStaysDue,
};

describe('whatever is stored, cancelled, lost, repeated, late, at the same time, or dies:', () => {
  const invariants = {
    ...always,
    'the file has the newest upload': fileHasTheNewestUpload,
    'the file agrees with its upload': fileAgreesWithItsUpload,
    'exactly those uploads end that were stored or cancelled': exactlyWhatGotAnObjectEnds,
    'the last event of an upload says how it ended': lastEventSaysTheEnd,
    'no upload expires after its end': nothingExpiresAfterItsEnd,
    'events name the version that was stored': eventsNameTheStoredVersion,
    'all completed uploads but the newest are superseded': allButTheNewestAreSuperseded,
    'of completed uploads S3 keeps only the newest': onlyTheNewestContentIsStored,
  };

  test.for(Object.keys(invariants))('%s', invariantTest(plans, live, invariants, defaults));
});

describe('also when the file is deleted:', () => {
  const invariants = {
    ...always,
    'every record gets a time after which it is deleted': everyRecordIsDeletedLater,
    'no content is kept': noContentIsStored,
  };

  test.for(Object.keys(invariants))('%s', invariantTest(plansThatDelete, live, invariants, defaults));
});
