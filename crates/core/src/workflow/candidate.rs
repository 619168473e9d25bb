//! The files that a run has written so far.

use crate::generation::SeenFile;
use crate::object_id::TreeId;
use crate::path::ProjectPath;

/// Replies of a round that is not complete yet: accepted, but not part of the candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// The candidate with them.
    pub tree: TreeId,
    /// The files that they write or remove.
    pub files: Vec<ProjectPath>,
    /// These files as they were in the worktree when they were asked for.
    pub seen: Vec<SeenFile>,
}

/// The files of a run whose worktree exists. Its tree holds complete rounds only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    /// The tree of the commit that the run started from.
    pub(super) base_tree: TreeId,
    /// The base with everything written so far.
    pub(super) tree: TreeId,
    /// Test files of the current scaffold.
    pub(super) test_files: Vec<ProjectPath>,
    /// Other files that were written or deleted.
    pub(super) source_files: Vec<ProjectPath>,
    /// The round that is under way.
    pub(super) staged: Option<Staged>,
    /// A tree with the source files as they were when the tests were opened again.
    pub(super) set_aside: Option<TreeId>,
    /// The current tests, with the source files that were set aside.
    pub(super) carried: Option<TreeId>,
    /// Whether the source files were written for other tests than the current ones.
    pub(super) is_carried: bool,
    /// Whether a person wrote the current tests.
    pub(super) tests_are_a_persons: bool,
}

impl Candidate {
    /// The base and nothing else.
    pub(super) fn at(base_tree: TreeId) -> Self {
        Self {
            tree: base_tree.clone(),
            base_tree,
            test_files: Vec::new(),
            source_files: Vec::new(),
            staged: None,
            set_aside: None,
            carried: None,
            is_carried: false,
            tests_are_a_persons: false,
        }
    }

    /// The candidate with the files of the current round so far.
    pub(super) fn working_tree(&self) -> &TreeId {
        self.staged
            .as_ref()
            .map_or(&self.tree, |staged| &staged.tree)
    }

    /// Everything that the run changed.
    pub(super) fn files(&self) -> impl Iterator<Item = &ProjectPath> {
        self.source_files.iter().chain(&self.test_files)
    }

    /// A scaffold replaces the one before it.
    pub(super) fn scaffold(
        &mut self,
        files: &[ProjectPath],
        tree: &TreeId,
        carried: Option<&TreeId>,
    ) {
        self.test_files = files.to_vec();
        self.tree = tree.clone();
        self.carried = carried.cloned();
        self.tests_are_a_persons = false;
    }

    /// The base is another commit; `tree` is everything on top of it.
    pub(super) fn move_base(&mut self, tree: &TreeId, base_tree: Option<&TreeId>) {
        self.tree = tree.clone();
        if let Some(base_tree) = base_tree {
            self.base_tree = base_tree.clone();
        }
    }

    /// The tests are written again; the source files come back when they are sealed.
    pub(super) fn set_sources_aside(&mut self) {
        self.staged = None;
        self.carried = None;
        self.is_carried = false;
        if self.set_aside.is_none() && !self.source_files.is_empty() {
            self.set_aside = Some(self.tree.clone());
        }
    }

    /// The new tests are sealed; the source files that were set aside join them.
    pub(super) fn bring_sources_back(&mut self) {
        self.set_aside = None;
        if let Some(tree) = self.carried.take() {
            self.tree = tree;
            self.is_carried = true;
        }
    }

    /// Adds to the round that is under way, or begins it.
    pub(super) fn stage(&mut self, files: &[ProjectPath], tree: &TreeId, seen: Vec<SeenFile>) {
        let staged = self.staged.get_or_insert_with(|| Staged {
            tree: tree.clone(),
            files: Vec::new(),
            seen: Vec::new(),
        });
        staged.tree = tree.clone();
        staged.files.extend_from_slice(files);
        staged.seen.extend(seen);
    }

    /// The round is complete: the staged files become part of the candidate.
    pub(super) fn complete_round(&mut self) {
        let Some(staged) = self.staged.take() else {
            return;
        };
        for path in staged.files {
            if !self.source_files.contains(&path) {
                self.source_files.push(path);
            }
        }
        self.tree = staged.tree;
        self.is_carried = false;
    }
}
