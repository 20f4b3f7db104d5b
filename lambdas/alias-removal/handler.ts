import { setTimeout as sleep } from 'node:timers/promises';
import { createAnswerCustomResource } from '../shared/custom-resource.ts';
import { createLog } from '../shared/log.ts';
import { createAliasRemoval } from './alias-removal.ts';

/** Answers CloudFormation when it makes or removes the aliases of the functions behind the API. */
export const handler = createAliasRemoval({
  sleep,
  log: createLog(),
  answerCustomResource: createAnswerCustomResource({
    physicalResourceId: 'aliases',
    put: fetch,
    sleep,
    random: Math.random,
  }),
});
