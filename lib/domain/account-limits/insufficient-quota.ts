/** The message for insufficient quota of an account (spec/replication.md 0.3). */
export const insufficientQuota = "There is insufficient quota on any of the target RSE's to fulfill the operation.";
