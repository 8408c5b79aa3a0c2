/** What is said where an account has not enough quota (spec/replication.md 0.3). */
export const quotaText = "There is insufficient quota on any of the target RSE's to fulfill the operation.";
