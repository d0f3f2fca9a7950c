//! Plans as data: what Rat wants, about whom, and why.

use std::fmt;

use hathi_rules::{Piece, Square, Symmetric, Symmetry};

/// The plans there are, in the order in which they are considered when no
/// flag lowers one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlanKind {
    /// Bring a rabbit home this turn.
    Goal,
    /// Stop a rabbit that would reach goal next turn.
    GoalDefence,
    /// Take an enemy piece.
    Capture,
    /// Save a piece that could be taken.
    Defence,
    /// What a directed position graph commands.
    Pattern,
    /// Hold an enemy piece on a trap.
    Frame,
    /// Take a strong enemy piece hostage near a trap of ours.
    Hostage,
    /// Threaten two captures at once.
    Fork,
    /// Chase the camel with the elephant.
    CamelHunt,
    /// Bring an exposed piece back.
    Retreat,
    /// Strengthen a trap of ours.
    TrapDefence,
    /// Bring rabbits near goal and clear their way.
    GoalPreparation,
    /// Drag an enemy piece towards our traps.
    Kidnap,
    /// Bring an enemy piece behind the one who moves it.
    Flip,
    /// Advance on a trap of theirs.
    Attack,
    /// Leave traps.
    ClearTrap,
    /// Bring the elephant to the centre.
    Centralise,
    /// Bring rabbits up the wings.
    Advance,
}

impl PlanKind {
    /// All of them, in order.
    pub const ALL: [PlanKind; 18] = [
        PlanKind::Goal,
        PlanKind::GoalDefence,
        PlanKind::Capture,
        PlanKind::Defence,
        PlanKind::Pattern,
        PlanKind::Frame,
        PlanKind::Hostage,
        PlanKind::Fork,
        PlanKind::CamelHunt,
        PlanKind::Retreat,
        PlanKind::TrapDefence,
        PlanKind::GoalPreparation,
        PlanKind::Kidnap,
        PlanKind::Flip,
        PlanKind::Attack,
        PlanKind::ClearTrap,
        PlanKind::Centralise,
        PlanKind::Advance,
    ];

    /// The name, as DPG files and lists write it.
    pub const fn name(self) -> &'static str {
        match self {
            PlanKind::Goal => "goal",
            PlanKind::GoalDefence => "goal-defence",
            PlanKind::Capture => "capture",
            PlanKind::Defence => "defence",
            PlanKind::Pattern => "pattern",
            PlanKind::Frame => "frame",
            PlanKind::Hostage => "hostage",
            PlanKind::Fork => "fork",
            PlanKind::CamelHunt => "camel-hunt",
            PlanKind::Retreat => "retreat",
            PlanKind::TrapDefence => "trap-defence",
            PlanKind::GoalPreparation => "goal-preparation",
            PlanKind::Kidnap => "kidnap",
            PlanKind::Flip => "flip",
            PlanKind::Attack => "attack",
            PlanKind::ClearTrap => "clear-trap",
            PlanKind::Centralise => "centralise",
            PlanKind::Advance => "advance",
        }
    }

    /// The plan of this name.
    pub fn by_name(name: &str) -> Option<PlanKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Can it change the material within a turn or two? The others are for
    /// later.
    pub(crate) const fn is_loud(self) -> bool {
        matches!(
            self,
            PlanKind::Goal | PlanKind::GoalDefence | PlanKind::Capture | PlanKind::Defence
        )
    }

    /// Its usual place in the queue.
    const fn place(self) -> u16 {
        self as u16 * 10
    }
}

/// What was found about the position that makes a plan less urgent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// The enemy could take something stronger than we can.
    TheyTakeMore,
    /// The elephant has not left home, and attacks without it come to nothing.
    ElephantAtHome,
    /// The elephant alone keeps a piece of ours out of a trap, or holds a
    /// hostage.
    ElephantTied,
    /// Too early in the game.
    Early,
}

impl Flag {
    /// How far it lowers a plan.
    const fn weight(self) -> u16 {
        match self {
            Flag::TheyTakeMore => 15,
            Flag::ElephantTied => 55,
            Flag::ElephantAtHome => 65,
            Flag::Early => 90,
        }
    }

    /// In words.
    pub const fn text(self) -> &'static str {
        match self {
            Flag::TheyTakeMore => "they could take more",
            Flag::ElephantAtHome => "the elephant is at home",
            Flag::ElephantTied => "the elephant is tied",
            Flag::Early => "it is early",
        }
    }
}

/// Something Rat wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What.
    pub kind: PlanKind,
    /// The piece it is about, and where that stands.
    pub about: Option<(Piece, Square)>,
    /// The trap it is about.
    pub trap: Option<Square>,
    /// The flag that lowers it.
    pub lowered: Option<Flag>,
    /// Which command of which graph, for patterns.
    pub(crate) command: Option<CommandKey>,
    /// The order among commands.
    pub(crate) depth: u16,
    /// The squares are those of a board turned round.
    pub(crate) flipped: bool,
}

/// A command node of one of the graphs at hand, found on one wing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CommandKey {
    pub(crate) graph: u16,
    pub(crate) node: u16,
    pub(crate) mirrored: bool,
}

/// Tells plans apart, to remember those already tried.
pub(crate) type PlanKey = u64;

impl Plan {
    pub(crate) const fn new(kind: PlanKind) -> Plan {
        Plan {
            kind,
            about: None,
            trap: None,
            lowered: None,
            command: None,
            depth: 0,
            flipped: false,
        }
    }

    #[must_use]
    pub(crate) fn about(mut self, piece: Piece, square: Square) -> Plan {
        self.about = Some((piece, square));
        self
    }

    #[must_use]
    pub(crate) fn at(mut self, trap: Square) -> Plan {
        self.trap = Some(trap);
        self
    }

    #[must_use]
    pub(crate) fn lowered_by(mut self, flag: Option<Flag>) -> Plan {
        self.lowered = flag;
        self
    }

    /// Where it stands in the queue: less is earlier.
    pub fn priority(&self) -> u16 {
        self.kind.place() + self.depth.min(9) + self.lowered.map_or(0, Flag::weight)
    }

    /// The same goal: a plan tried once in a turn is not tried again in it.
    /// For most plans that is their kind and trap; who it was about has moved.
    pub(crate) fn key(&self) -> PlanKey {
        let kind = self.kind as u64;
        let trap = self.trap.map_or(64, Square::index) as u64;
        let command = self.command.map_or(0, |key| {
            1 + u64::from(key.node) + (u64::from(key.graph) << 16) + (u64::from(key.mirrored) << 32)
        });
        kind | trap << 8 | command << 16
    }

    fn shown<T: Symmetric>(&self, thing: T) -> T {
        let symmetry = Symmetry {
            flip: self.flipped,
            mirror: false,
        };
        symmetry.apply(thing)
    }

    /// Why, in words: `because ...` without the because.
    pub fn reason(&self) -> String {
        let piece = self
            .about
            .map(|(piece, _)| piece.role().name())
            .unwrap_or_default();
        let square = self
            .about
            .map(|(_, square)| self.shown(square).to_string())
            .unwrap_or_default();
        let trap = self
            .trap
            .map(|trap| self.shown(trap).to_string())
            .unwrap_or_default();
        match self.kind {
            PlanKind::Goal => "a rabbit is near enough to goal".to_owned(),
            PlanKind::GoalDefence => "the enemy threatens to reach goal next turn".to_owned(),
            PlanKind::Capture => format!("the {piece} on {square} can be taken in {trap}"),
            PlanKind::Defence => format!("the {piece} on {square} could be taken in {trap}"),
            PlanKind::Pattern => "a pattern matches".to_owned(),
            PlanKind::Frame => format!("the {piece} on {trap} can be held there"),
            PlanKind::Hostage => format!("the {piece} on {square} can be held near our trap"),
            PlanKind::Fork => "one piece can threaten two".to_owned(),
            PlanKind::CamelHunt => format!("the camel on {square} is away from home"),
            PlanKind::Retreat => format!("the {piece} on {square} is exposed"),
            PlanKind::TrapDefence => format!("{trap} needs stronger guards"),
            PlanKind::GoalPreparation => "rabbits can come near goal".to_owned(),
            PlanKind::Kidnap => format!("the {piece} on {square} can be dragged to our side"),
            PlanKind::Flip => format!("the {piece} on {square} can be brought behind us"),
            PlanKind::Attack => format!("{trap} is to be attacked"),
            PlanKind::ClearTrap => format!("the {piece} stands on the trap {square}"),
            PlanKind::Centralise => "the elephant belongs in the centre".to_owned(),
            PlanKind::Advance => "rabbits on the wings gain room".to_owned(),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.reason())?;
        if let Some(flag) = self.lowered {
            write!(f, " (later: {})", flag.text())?;
        }
        Ok(())
    }
}

/// The plans of a position, the most urgent first.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    plans: Vec<Plan>,
}

impl Queue {
    /// Adds a plan at its place, behind those that are as urgent.
    pub(crate) fn add(&mut self, plan: Option<Plan>) {
        if let Some(plan) = plan {
            let place = self
                .plans
                .partition_point(|other| other.priority() <= plan.priority());
            self.plans.insert(place, plan);
        }
    }

    /// The plans in order.
    pub fn plans(&self) -> &[Plan] {
        &self.plans
    }
}

impl fmt::Display for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, plan) in self.plans.iter().enumerate() {
            writeln!(f, "{:2} {plan}", number + 1)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_change_the_order_and_the_queue_can_be_printed() {
        let mut queue = Queue::default();
        queue.add(Some(Plan::new(PlanKind::Centralise)));
        queue.add(Some(
            Plan::new(PlanKind::Attack)
                .at(Square::C6)
                .lowered_by(Some(Flag::ElephantAtHome)),
        ));
        queue.add(None);
        queue.add(Some(
            Plan::new(PlanKind::Capture)
                .about(Piece::SilverDog, Square::C4)
                .at(Square::C3)
                .lowered_by(Some(Flag::TheyTakeMore)),
        ));
        queue.add(Some(
            Plan::new(PlanKind::Defence)
                .about(Piece::GoldHorse, Square::B6)
                .at(Square::C6),
        ));
        let text = queue.to_string();
        let order: Vec<&str> = text
            .lines()
            .map(|line| line[3..].split(':').next().unwrap_or_default())
            .collect();
        assert_eq!(order, ["defence", "capture", "centralise", "attack"]);
        assert!(text.contains("the horse on b6 could be taken in c6"));
    }

    #[test]
    fn names_are_found_again() {
        for kind in PlanKind::ALL {
            assert_eq!(PlanKind::by_name(kind.name()), Some(kind));
        }
        assert!(PlanKind::ALL.is_sorted());
    }
}
