//! Verifying history: every commit of a line of first parents, each by the rules of the commit before it.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use proctor_core::approval::{
    Accepted, Author, Demand, EVIDENCE_FILE, REVOKED_FILE, Reason, Revoked, SIGNERS_FILE, Setting,
    Signers, Stored, enough, evaluate,
};
use proctor_core::gate::VerdictWord;
use proctor_core::object_id::{CommitId, TreeId};

use super::{VerifyError, holds};
use crate::git::{LineCommit, Repository};
use crate::run_data::APPROVALS;
use crate::settings::{FILE_NAME, SettingsFile};

/// The commits to verify, and further signers and revocations.
#[derive(Debug, Clone, Copy)]
pub struct Verification<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// The last commit.
    pub tip: &'a CommitId,
    /// The commit before the first; none: from the very first on.
    pub base: Option<&'a CommitId>,
    /// The signers who may approve, instead of those of each commit's first parent.
    pub signers: Option<&'a Signers>,
    /// The revoked keys, besides those of each commit's first parent.
    pub revoked: Option<&'a Revoked>,
    /// Approvals that are about to be there: name and object.
    pub proposed: &'a [(String, String)],
    /// Now, in seconds since 1970.
    pub now: i64,
    /// Whether this is where history arrives: keys have to be valid now, and all approvals are here.
    pub at_server: bool,
}

/// The verification of one commit.
#[derive(Debug)]
pub struct VerifiedCommit {
    /// The commit's id.
    pub commit: CommitId,
    /// Its tree.
    pub tree: TreeId,
    /// The commit before it.
    pub base: Option<CommitId>,
    /// Its approvals, or why it is not approved.
    pub outcome: Result<Vec<Accepted>, Reason>,
    /// The verdict that the evidence of its approvals claims.
    pub claim: Option<VerdictWord>,
}

/// The rules of a commit's first parent for its approval; read once for all commits with the same.
struct Rules {
    signers: Option<Rc<Signers>>,
    revoked: Result<Rc<Revoked>, Reason>,
    demand: Result<Demand, Reason>,
}

impl Verification<'_> {
    /// Verifies every commit, the oldest first.
    pub fn verify(&self) -> Result<Vec<VerifiedCommit>, VerifyError> {
        let mut line = self.line()?;
        if line.is_empty() {
            return Ok(Vec::new());
        }
        line.reverse();
        let approvals = self.approvals(&line)?;
        let rules = self.rules(&line)?;
        let first = match self.base {
            Some(base) => self.repository.objects().seconds_of(base)?,
            None => 0,
        };
        // Of the range's base: a key that was revoked there does not come back in its middle.
        let at_base = rules[0].revoked.clone();
        let mut verified = Vec::new();
        for (index, commit) in line.iter().enumerate() {
            let made = if index == 0 {
                first
            } else {
                line[index - 1].seconds
            };
            let of_tree = approvals.get(&commit.tree).map_or(&[][..], Vec::as_slice);
            let (outcome, claim) = match self.judge(commit, of_tree, &rules[index], &at_base, made)
            {
                Ok((accepted, claim)) => (Ok(accepted), claim),
                Err(reason) => (Err(reason), None),
            };
            verified.push(VerifiedCommit {
                commit: commit.commit.clone(),
                tree: commit.tree.clone(),
                base: commit.parent.clone(),
                outcome,
                claim,
            });
        }
        Ok(verified)
    }

    /// The commits, the newest first. Their first parents have to lead to the base: a line that comes from elsewhere
    /// would be verified by signers whom no one approved.
    fn line(&self) -> Result<Vec<LineCommit>, VerifyError> {
        let objects = self.repository.objects();
        let line = objects.line(self.tip, self.base)?;
        let start = match line.last() {
            Some(last) => last.parent.as_ref(),
            None => Some(self.tip),
        };
        if start == self.base {
            let is_cut_off = self.base.is_none() && objects.is_shallow();
            return if is_cut_off {
                Err(VerifyError::Shallow)
            } else {
                Ok(line)
            };
        }
        if start.is_none() && objects.is_shallow() {
            return Err(VerifyError::Shallow);
        }
        let base = self.base.map(|base| base.short().to_owned());
        Err(VerifyError::NotFromBase {
            base: base.unwrap_or_default(),
            tip: self.tip.short().to_owned(),
        })
    }

    /// Approvals of the trees of a line.
    fn approvals(&self, line: &[LineCommit]) -> Result<HashMap<TreeId, Vec<Stored>>, VerifyError> {
        let mut kept = self.repository.refs().below(APPROVALS)?;
        if kept.is_empty() && !self.at_server {
            return Err(VerifyError::NoApprovals);
        }
        kept.extend_from_slice(self.proposed);
        let trees: HashSet<&str> = line.iter().map(|commit| commit.tree.as_str()).collect();
        let mut found = Vec::new();
        let mut names = Vec::new();
        for (reference, object) in &kept {
            let rest = reference.strip_prefix(APPROVALS).unwrap_or_default();
            let Some((tree, name)) = rest.split_once('/') else {
                continue;
            };
            let (true, Ok(tree)) = (trees.contains(tree), TreeId::parse(tree)) else {
                continue;
            };
            found.push((tree, name.to_owned()));
            let files = ["statement", "signature", EVIDENCE_FILE];
            names.extend(files.map(|file| format!("{object}:{file}")));
        }
        let mut files = self.repository.objects().files_named(&names)?.into_iter();
        let mut next = || files.next().flatten();
        let mut by_tree: HashMap<TreeId, Vec<Stored>> = HashMap::new();
        for (tree, name) in found {
            let stored = Stored {
                name,
                statement: next(),
                signature: next(),
                evidence: next(),
            };
            by_tree.entry(tree).or_default().push(stored);
        }
        Ok(by_tree)
    }

    /// The rules for the commits, in their order.
    fn rules(&self, line: &[LineCommit]) -> Result<Vec<Rules>, VerifyError> {
        let files = [SIGNERS_FILE, REVOKED_FILE, FILE_NAME];
        let parents = line.iter().filter_map(|commit| commit.parent.as_ref());
        let names: Vec<String> = parents
            .flat_map(|parent| files.map(|file| format!("{parent}:{file}")))
            .collect();
        let mut contents = self.repository.objects().files_named(&names)?.into_iter();
        let mut known_signers: HashMap<Vec<u8>, Rc<Signers>> = HashMap::new();
        let mut known_revoked: HashMap<Vec<u8>, Result<Rc<Revoked>, Reason>> = HashMap::new();
        let mut known_demands: HashMap<Vec<u8>, Result<Demand, Reason>> = HashMap::new();
        let mut rules = Vec::new();
        for commit in line {
            let mut next = || match &commit.parent {
                Some(_) => contents.next().flatten(),
                None => None,
            };
            let (listed, gone, settings) = (next(), next(), next());
            let listed = listed.map(|bytes| {
                let read = known_signers.entry(bytes).or_insert_with_key(|bytes| {
                    Rc::new(Signers::parse(&String::from_utf8_lossy(bytes)))
                });
                Rc::clone(read)
            });
            let gone = known_revoked.entry(gone.unwrap_or_default());
            let demand = known_demands.entry(settings.unwrap_or_default());
            rules.push(Rules {
                signers: listed,
                revoked: gone.or_insert_with_key(|bytes| read_revoked(bytes)).clone(),
                demand: demand
                    .or_insert_with_key(|bytes| read_demand(bytes))
                    .clone(),
            });
        }
        Ok(rules)
    }

    fn judge(
        &self,
        commit: &LineCommit,
        approvals: &[Stored],
        rules: &Rules,
        at_base: &Result<Rc<Revoked>, Reason>,
        not_before: i64,
    ) -> Result<(Vec<Accepted>, Option<VerdictWord>), Reason> {
        if commit.parent.is_none() && self.signers.is_none() {
            return Err(Reason::NoParent);
        }
        let demand = rules.demand.clone()?;
        let (here, at_base) = (rules.revoked.clone()?, at_base.clone()?);
        let revoked: Vec<&Revoked> = [&*here, &*at_base]
            .into_iter()
            .chain(self.revoked)
            .collect();
        let setting = Setting {
            tree: &commit.tree,
            base: commit.parent.as_ref(),
            author: Author {
                author: &commit.author,
                committer: &commit.committer,
            },
            signers: self.signers.or(rules.signers.as_deref()),
            revoked: &revoked,
            demand: &demand,
            not_before,
            now: self.now,
            must_be_valid_now: self.at_server,
        };
        let (mut accepted, mut claim) = (Vec::new(), None);
        let mut closest = Reason::NoApproval;
        for stored in approvals {
            match evaluate(stored, &setting, &holds) {
                Ok((approval, evidence)) => {
                    accepted.push(approval);
                    claim = claim.or(evidence.claim());
                }
                Err(reason) if reason.progress() > closest.progress() => closest = reason,
                Err(_) => {}
            }
        }
        if accepted.is_empty() {
            return Err(closest);
        }
        enough(accepted, &demand).map(|accepted| (accepted, claim))
    }
}

fn read_revoked(bytes: &[u8]) -> Result<Rc<Revoked>, Reason> {
    let read = Revoked::parse(bytes).map(Rc::new);
    read.map_err(|why| Reason::Revocations(format!("{REVOKED_FILE}: {why}")))
}

fn read_demand(bytes: &[u8]) -> Result<Demand, Reason> {
    let file = SettingsFile::parse(&String::from_utf8_lossy(bytes));
    file.map(|file| file.protective().approval.demand())
        .map_err(|why| Reason::Settings(why.to_string()))
}
