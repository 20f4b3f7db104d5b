import * as v from 'valibot';
import { defineResourceType } from '../shared/resource-type.ts';

/** An alias record of a name. No name is resolved here, so the zone may be any. */
const recordSetSchema = v.strictObject({
  Name: v.string(),
  HostedZoneId: v.string(),
  Type: v.picklist(['A', 'AAAA']),
  AliasTarget: v.strictObject({
    DNSName: v.string(),
    HostedZoneId: v.string(),
    EvaluateTargetHealth: v.optional(v.boolean()),
  }),
  Comment: v.optional(v.string()),
});

export const recordSetType = defineResourceType('AWS::Route53::RecordSet', recordSetSchema);
