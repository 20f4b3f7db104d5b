import type { PageName } from './definition.ts';

/** An alarm on the states of others, which notifies people. */
export interface PageDefinition {
  readonly means: string;
  /** Runbook, without its ending. */
  readonly runbook: string;
  /** While this one is raised, the page is not sent: the trouble is probably the same. */
  readonly suppressedBy?: PageName;
}

/**
 * The alarms that notify people, in an order in which what suppresses comes first. Each is raised while one of its alarms
 * is, so several alarms of one cause notify once. A cause that hits requests mostly hits uploads or keys too, as a failure
 * of DynamoDB does. So the later two keep quiet while the API is in trouble.
 */
export const pages: { readonly [Name in PageName]: PageDefinition } = {
  ApiInTrouble: {
    means: 'Clients get errors, wait too long, or are refused',
    runbook: 'ApiInTrouble',
  },
  UploadsInTrouble: {
    means: 'Uploads arrive and are not recorded as they should be',
    runbook: 'UploadsInTrouble',
    suppressedBy: 'ApiInTrouble',
  },
  KeysInTrouble: {
    means: 'The signing keys do not change, or do not reach the functions',
    runbook: 'KeysInTrouble',
    suppressedBy: 'ApiInTrouble',
  },
};

/**
 * Seconds (CloudWatch User Guide, "Suppressing composite alarm actions").
 *
 * `wait`: a page waits so long for the alarm that would suppress it. Values of log lines arrive in CloudWatch up to two
 * minutes later than those of API Gateway, or earlier.
 *
 * `extension`: a page that was suppressed is sent when the trouble lasts so much longer than that of the API. Its alarms
 * look back over five minutes, and Lambda gives failed events to the function again for some minutes more.
 */
export const suppression = { wait: 120, extension: 900 } as const;
