//! System calls that no job needs and that reach out of a sandbox, or deep into the kernel.
//!
//! A deny list and not an allow list: a test suite may do anything that a program does, and a call that is missing from
//! an allow list is a failure that no one understands.

use std::collections::BTreeMap;
use std::io::Error;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// Which calls are denied besides those that always are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Filter {
    /// In namespaces: their network is empty and their processes are the job's own.
    Namespaced,
    /// Without them: no network, no signals to the supervisor or to everybody.
    Alone {
        /// The process that ends the job.
        supervisor: i32,
        /// Whether unix sockets may be made one by one; connected pairs always may.
        unix_sockets: bool,
        /// Whether the kernel's Landlock lets files be emptied that may only be read, as it did
        /// before 6.2.
        files_can_be_emptied: bool,
    },
}

/// The kernel's keys, other file systems, its modules, its clock, programs in the kernel.
const FORBIDDEN: &[i64] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_pivot_root,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_userfaultfd,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
];

/// Calls that libraries do without when the kernel does not know them. The flags of `clone3` are in
/// memory, where a filter cannot read them; `clone` has the same ones in a register.
const UNKNOWN: &[i64] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
];

/// Typing into a terminal, and the console's way to do the same.
const TERMINAL_REQUESTS: [u64; 2] = [0x5412, 0x541C];

/// New namespaces, each of which is a part of the kernel that is otherwise out of reach.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWUTS,
];

/// Calls that open a file, and which argument has the flags.
const OPENING: &[(i64, u8)] = &[
    (libc::SYS_openat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1),
];

fn empties_files(filter: Filter) -> bool {
    matches!(filter, Filter::Alone { files_can_be_emptied, .. } if files_can_be_emptied)
}

/// On this architecture every call has a second number, with this bit.
#[cfg(target_arch = "x86_64")]
const SECOND_NUMBER: i64 = 0x4000_0000;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Denies the calls to this thread and to everything it becomes or starts.
pub(in super::super) fn deny_system_calls(filter: Filter) -> Result<(), Error> {
    let failed = |error: &dyn std::fmt::Display| Error::other(format!("seccomp: {error}"));
    let mut unknown: Rules = UNKNOWN.iter().map(|number| (*number, Vec::new())).collect();
    if empties_files(filter) {
        // Its flags are in memory, as those of `clone3` are.
        unknown.insert(libc::SYS_openat2, Vec::new());
    }
    let programs = [
        compile(unknown, libc::ENOSYS),
        rules(filter).and_then(|rules| compile(rules, libc::EPERM)),
    ];
    for program in programs {
        let program = program.map_err(|error| failed(&error))?;
        seccompiler::apply_filter(&program).map_err(|error| failed(&error))?;
    }
    Ok(())
}

fn compile(rules: Rules, errno: i32) -> Result<BpfProgram, seccompiler::BackendError> {
    let filter = SeccompFilter::new(
        with_second_numbers(rules),
        SeccompAction::Allow,
        SeccompAction::Errno(errno.unsigned_abs()),
        TargetArch::try_from(std::env::consts::ARCH)?,
    )?;
    filter.try_into()
}

#[cfg(target_arch = "x86_64")]
fn with_second_numbers(rules: Rules) -> Rules {
    /// The one call of ours whose second number is another.
    const SECOND_IOCTL: i64 = 514;
    let mut all = rules.clone();
    for (number, rule) in rules {
        let second = if number == libc::SYS_ioctl {
            SECOND_IOCTL
        } else {
            number
        };
        all.insert(second | SECOND_NUMBER, rule);
    }
    all
}

#[cfg(not(target_arch = "x86_64"))]
fn with_second_numbers(rules: Rules) -> Rules {
    rules
}

fn rules(filter: Filter) -> Result<Rules, seccompiler::BackendError> {
    use SeccompCmpOp::{Eq, Ge, MaskedEq, Ne};
    let mut rules: Rules = FORBIDDEN
        .iter()
        .map(|number| (*number, Vec::new()))
        .collect();
    let mut forbid = |number: i64, conditions: Vec<SeccompCondition>| {
        let rule = SeccompRule::new(conditions)?;
        rules.entry(number).or_default().push(rule);
        Ok(())
    };
    for request in TERMINAL_REQUESTS {
        forbid(libc::SYS_ioctl, vec![argument(1, Eq, request)?])?;
    }
    for flag in NAMESPACES {
        let flag = u64::from(flag.unsigned_abs());
        for number in [libc::SYS_clone, libc::SYS_unshare] {
            forbid(number, vec![argument(0, MaskedEq(flag), flag)?])?;
        }
    }
    let families: &[i32] = match filter {
        Filter::Namespaced => &[
            libc::AF_UNIX,
            libc::AF_INET,
            libc::AF_INET6,
            libc::AF_NETLINK,
        ],
        Filter::Alone {
            unix_sockets: true, ..
        } => &[libc::AF_UNIX],
        // No family is left.
        Filter::Alone { .. } => &[libc::AF_UNSPEC],
    };
    let other = families
        .iter()
        .map(|family| argument(0, Ne, u64::from(family.unsigned_abs())));
    let other = other.collect::<Result<_, _>>()?;
    forbid(libc::SYS_socket, other)?;
    if empties_files(filter) {
        let emptying = u64::from((libc::O_TRUNC | libc::O_ACCMODE).unsigned_abs());
        let for_reading = u64::from((libc::O_TRUNC | libc::O_RDONLY).unsigned_abs());
        for (number, flags) in OPENING {
            let condition = argument(*flags, MaskedEq(emptying), for_reading)?;
            forbid(*number, vec![condition])?;
        }
        forbid(libc::SYS_truncate, vec![argument(0, Ge, 0)?])?;
    }
    let Filter::Alone { supervisor, .. } = filter else {
        return Ok(rules);
    };
    // Another process's limits can be set so that it is killed.
    forbid(libc::SYS_prlimit64, vec![argument(0, Ne, 0)?])?;
    // A kernel that confines signals refuses these itself.
    forbid(libc::SYS_pidfd_send_signal, vec![argument(0, Ge, 0)?])?;
    for target in [-1, supervisor] {
        // The register holds the number as the system reads it: its lower half.
        let target = u64::from(target.cast_unsigned());
        for number in [
            libc::SYS_kill,
            libc::SYS_tkill,
            libc::SYS_tgkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_rt_tgsigqueueinfo,
            libc::SYS_pidfd_open,
        ] {
            forbid(number, vec![argument(0, Eq, target)?])?;
        }
    }
    Ok(rules)
}

fn argument(
    index: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value)
}
