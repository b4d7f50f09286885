//! Schedules: which history a query may see. Every query of a group is scored before any event of it is observed.

/// How events are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Score one event, observe it.
    EventWise,
    /// Score this many consecutive events, then observe them; batches begin at the first scored event.
    Batch(usize),
    /// Score all events of one time, then observe them in file order.
    StrictTimestamp,
}

impl Schedule {
    /// The row after the group that begins at `start`.
    #[inline]
    pub fn group_end(self, times: &[f64], start: usize) -> usize {
        match self {
            Self::EventWise => start + 1,
            Self::Batch(size) => (start + size).min(times.len()),
            Self::StrictTimestamp => {
                let time = times[start];
                start + times[start..].iter().take_while(|&&other| other == time).count()
            }
        }
    }

    /// The row of the first group, so that `first` is scored by this schedule: under strict timestamps a group begins
    /// at the first event of its time, even if that lies before the split.
    pub fn first_group(self, times: &[f64], first: usize) -> usize {
        match self {
            Self::StrictTimestamp if first < times.len() => {
                let time = times[first];
                first - times[..first].iter().rev().take_while(|&&other| other == time).count()
            }
            _ => first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Schedule;

    #[test]
    fn groups_follow_the_rule_of_each_schedule() {
        let times = [0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0];
        let groups = |schedule: Schedule, first: usize| {
            let mut bounds = vec![schedule.first_group(&times, first)];
            while *bounds.last().unwrap() < times.len() {
                bounds.push(schedule.group_end(&times, *bounds.last().unwrap()));
            }
            bounds
        };
        assert_eq!(groups(Schedule::EventWise, 4), [4, 5, 6, 7]);
        assert_eq!(groups(Schedule::Batch(2), 2), [2, 4, 6, 7]);
        assert_eq!(groups(Schedule::StrictTimestamp, 2), [1, 4, 6, 7]);
        assert_eq!(groups(Schedule::StrictTimestamp, 4), [4, 6, 7]);
        assert_eq!(Schedule::StrictTimestamp.group_end(&times[1..], 0), 3);
    }
}
